tool=ls # ok
$tool -l # ok
read -r name # ok
$name -l # expect: bash-dynamic-command
"$(cat which)" x # expect: bash-dynamic-command
