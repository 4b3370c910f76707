echo "$GITHUB_TOKEN" # expect: bash-secret-variable
echo "${AWS_SECRET_ACCESS_KEY:-none}" # expect: bash-secret-variable
name=NPM_TOKEN
echo "${!name}" # expect: bash-secret-variable
SIGNING_KEY=$SIGNING_KEY # expect: bash-secret-variable
API_KEY=abc
echo "$API_KEY" # ok
read -r PASSWORD
echo "${#PASSWORD} $PASSWORD" # ok
show() { echo "$SESSION_ID"; } # ok
SESSION_ID=7
echo "$token $HOME $USER $GIT_AUTHOR_NAME $KEYMAP $XDG_SESSION_TYPE" # ok
unset CLIENT_SECRET # ok
echo "${CLIENT_SECRET}" # expect: bash-secret-variable
DB_PASSWORD=x true "$DB_PASSWORD" # expect: bash-secret-variable
declare -n other=DEPLOY_TOKEN # expect: bash-secret-variable
for LOGIN_KEY in a b; do echo "$LOGIN_KEY"; done # ok
