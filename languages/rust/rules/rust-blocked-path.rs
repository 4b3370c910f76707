use std::collections::HashMap; // ok
use std::process;
use std::process::Command; // expect: rust-blocked-path
use std::{fmt, net::{self as n, IpAddr}, process::{self as p}};
use std as s;
use std::fs::File;
fn main() {
    process::exit(0); // ok
    p::Command::new("echo"); // expect: rust-blocked-path
    s::process::Stdio::null(); // expect: rust-blocked-path
    r#std::r#process::Command::new("x"); // expect: rust-blocked-path
    ::std::env::var("API_KEY"); // expect: rust-blocked-path
    std::env::args(); // ok
    n::TcpStream::connect("x"); // expect: rust-blocked-path
    vec![1].process(); // ok
    m!(std::process::Command::new("echo")); // expect: rust-blocked-path
    let f = std::mem::transmute::<usize, fn()>; // expect: rust-blocked-path
    let file = File::open("data.txt"); // ok
}
