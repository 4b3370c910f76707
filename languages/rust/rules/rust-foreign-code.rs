extern "C" { fn system(c: *const u8) -> i32; } // expect: rust-foreign-code
pub extern fn f() {} // expect: rust-foreign-code
extern crate std as s; // ok
