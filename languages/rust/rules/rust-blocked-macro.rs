use std::env as e;
fn main() {
    println!("{}", env!("PATH")); // expect: rust-blocked-macro
    e!("PATH"); // expect: rust-blocked-macro
    include_str!("data.txt"); // ok
    include_str!("/data/hostname"); // expect: rust-blocked-macro
    std::include_bytes!(concat!("a", "b")); // expect: rust-blocked-macro
    call!(include_str, "x"); // expect: rust-blocked-macro
    core::arch::asm!("syscall"); // expect: rust-blocked-macro
    if a != b {} // ok
}
