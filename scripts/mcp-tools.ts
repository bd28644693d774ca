/** Writes the operations for agents from the document of the keyed host: `npm run mcp:tools`. */
import { writeFileSync } from 'node:fs';
import { operationsText } from './mcp/operations-text.ts';

writeFileSync(new URL('../packages/mcp/src/generated/operations.ts', import.meta.url), operationsText());
