// Reads manifests from stdin and checks each against the Kubernetes API's schema: required members and types (not members that it does not know).
// Modules: kubernetes-models, yaml. One line a fault; the last line counts.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const require = createRequire(`${process.argv[2]}/`);
const yaml = require('yaml');

function model(apiVersion, kind) {
  const path = apiVersion.includes('/') ? apiVersion : 'v1';
  return require(`kubernetes-models/${path}`)[kind];
}

const documents = yaml.parseAllDocuments(readFileSync(0, 'utf8'));
let faults = 0;
for (const document of documents) {
  const problems = document.errors.map(error => error.message);
  const value = document.toJS();
  const name = `${value?.kind} ${value?.metadata?.name}`;
  try {
    if (problems.length === 0) new (model(value.apiVersion, value.kind))(value).validate();
  } catch (error) {
    problems.push(error.message);
  }
  for (const problem of problems) console.log(`${name}: ${problem}`);
  faults += problems.length;
}
console.log(`${documents.length} manifests, ${faults} faults`);
process.exit(faults > 0 || documents.length === 0 ? 1 : 0);
