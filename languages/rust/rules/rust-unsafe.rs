fn main() {
    unsafe { f(); } // expect: rust-unsafe
}
unsafe fn g() {} // expect: rust-unsafe
#![forbid(unsafe_code)] // ok
