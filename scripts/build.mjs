/** `npm run build`: the program as the image runs it, `node --enable-source-maps --import ./scripts/hold-back.mjs dist/main.js`. */
import { writeBundle } from './bundle.mjs';

await writeBundle('src/main.ts', 'dist');
