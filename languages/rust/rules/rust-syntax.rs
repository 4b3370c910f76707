fn main() {
    let a = 1; // ok
    let b = `x`; // expect: rust-syntax
    let c = cr"x"; // expect: rust-syntax
    let d = 'x';
    let e: &'static str = r#"a"b"#;
}
