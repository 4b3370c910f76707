extern crate libc; // expect: rust-blocked-crate
use nix::unistd::fork; // expect: rust-blocked-crate
use reqwest::get; // expect: rust-blocked-crate
use rand::Rng; // ok
fn main() {
    libc::system(0); // expect: rust-blocked-crate
}
