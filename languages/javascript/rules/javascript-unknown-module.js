// Packages whose code is not judged.
const express = require('express');  // expect: javascript-unknown-module
import left from 'left-pad';  // expect: javascript-unknown-module
import { it } from 'vitest';  // ok
