use std::fs;
fn main() {
    let p = "/etc/shadow"; // expect: rust-path-outside
    let q = b"\x2fproc/self/mem"; // expect: rust-path-outside
    let r = concat!("/et", "c/shadow"); // expect: rust-path-outside
    fs::read_to_string("../x"); // expect: rust-path-outside
    fs::remove_file("/data/x"); // expect: rust-path-outside
    fs::write("out.txt", "../x"); // ok
    std::fs::File::open("/tmp/x"); // ok
    let s = "/api"; // ok
}
