/** Keeps the contract of both hosts as that of this version: `npm run api:release`, once, when the version is released. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { contractOf } from './api/contract-of.ts';

const root = new URL('../', import.meta.url);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')));
const folder = new URL('docs/api/released/', root);
mkdirSync(folder, { recursive: true });
const contracts = { open: contractOf('open'), pro: contractOf('pro') };
writeFileSync(new URL(`${version}.json`, folder), `${JSON.stringify(contracts, null, 1)}\n`);
