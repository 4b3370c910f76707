use std::*; // expect: rust-glob-import
use std::process::*; // expect: rust-glob-import
use std::{net::*}; // expect: rust-glob-import
use std::collections::*;
use super::*;
use std::fs::*;
