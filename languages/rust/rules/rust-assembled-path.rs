macro_rules! m {
    ($a:ident) => { std::$a::Command::new("echo") }; // expect: rust-assembled-path
    ($a:ident, $b:ident) => { $a::$b::f() }; // expect: rust-assembled-path
    ($a:ident; $b:tt) => { $a::Command::f() }; // expect: rust-assembled-path
    ($m:ident, $($t:tt)*) => { $m!($($t)*) }; // expect: rust-assembled-path
    ($(#[$m:meta])*) => { #[$m] struct A; }; // expect: rust-assembled-path
    ($t:ty) => { $t::new() }; // ok
    ($($x:expr),*) => { $crate::f($($x),*) }; // ok
}
use std::process;
fn f() {
    m!(process, Command);
}
