"""What the suites stand on: cases, bundles, the runtime under test, host facts, the leak check."""
