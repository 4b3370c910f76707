#[derive(Debug)] // ok
#[no_mangle] // expect: rust-attribute
#[link_section = ".init_array"] // expect: rust-attribute
#[used] // expect: rust-attribute
#[path = "x.rs"] // expect: rust-attribute
#[cfg_attr(all(), path = "x.rs")] // expect: rust-attribute
#[unsafe(no_mangle)] // expect: rust-attribute expect: rust-unsafe
#[cfg(test)] // ok
#![allow(dead_code)] // ok
fn main() {}
