/** The product's signer alone, by its own environment: what `ROLES=signer npm start` runs, in a file that is bundled. */

import { startSigner } from '../../src/compose/start-signer.ts';
import { loadProcessConfig } from '../../src/config/index.ts';

await startSigner(
  loadProcessConfig(),
  (line) => void process.stdout.write(`${line}\n`),
  new AbortController().signal,
);
