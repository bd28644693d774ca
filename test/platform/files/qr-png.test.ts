import { expect, it } from 'vitest';
import { createQrPng } from '../../../src/platform/files/qr-png.ts';

it('draws a square PNG that differs per text', async () => {
  const qr = createQrPng();
  const png = await qr.png('solana:So11111111111111111111111111111111111111112');
  const view = new DataView(png.buffer, png.byteOffset);
  expect(view.getUint32(0)).toBe(0x89504e47);
  expect(view.getUint32(16)).toBe(view.getUint32(20));
  expect(view.getUint32(16)).toBeGreaterThanOrEqual(400);
  expect(Buffer.from(await qr.png('solana:other')).equals(Buffer.from(png))).toBe(false);
});
