/**
 * `npm run build`: the program as the image runs it, `node --enable-source-maps --import ./scripts/hold-back.mjs dist/main.js`, and the
 * bundle that `start.mjs` uses where it may not write.
 */
import { bundled, writeBundle } from './bundle.mjs';

await writeBundle('src/main.ts', 'dist');
await bundled('src/main.ts');
