use std::*; // expect: rust-glob-import
use std::process::*; // expect: rust-glob-import
use std::{net::*}; // expect: rust-glob-import
use std::collections::*; // ok
use super::*; // ok
use std::fs::*; // ok
