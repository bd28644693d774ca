/** `npm start`. The same program as `src/main.ts` under `register.mjs`, ready in half the time. */
import { bundled } from './bundle.mjs';
import './hold-back.mjs';

process.setSourceMapsEnabled(true);
await import(await mainModule());

/** A checkout that its user may not write to runs from its sources. */
async function mainModule() {
  try {
    return await bundled('src/main.ts');
  } catch (error) {
    if (!['EACCES', 'EROFS', 'EPERM'].includes(error?.code)) throw error;
    await import('tsx');
    return new URL('../src/main.ts', import.meta.url).href;
  }
}
