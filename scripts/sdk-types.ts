/** Writes the types of the SDK from the documents of the hosts: `npm run sdk:types`. */
import { writeFileSync } from 'node:fs';
import { operationsText } from './sdk/operations-text.ts';

writeFileSync(new URL('../packages/sdk/src/generated/operations.ts', import.meta.url), operationsText());
