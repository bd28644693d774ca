import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createPictures } from '../../../src/platform/pictures/create-pictures.ts';
import { MAX_PICTURE_BYTES } from '../../../src/platform/ports/pictures.ts';

const pictures = createPictures();
const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } });
const reading = (bytes: Uint8Array) => sharp(bytes).metadata();

/** A PNG whose header promises more pixels than its few bytes could ever hold. */
function pngBomb(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('normalise', () => {
  it('makes a photo a JPEG of at most 512 pixels a side', async () => {
    const made = await pictures.normalise(await plain(2_000, 1_000).jpeg().toBuffer());
    expect(made).toMatchObject({ type: 'jpg', width: 512, height: 256 });
    expect(await reading(made.bytes)).toMatchObject({ format: 'jpeg', width: 512, height: 256 });
  });

  it('keeps transparency, as a PNG, and never enlarges', async () => {
    const made = await pictures.normalise(await plain(40, 20, 4).webp().toBuffer());
    expect(made).toMatchObject({ type: 'png', width: 40, height: 20 });
    expect(await reading(made.bytes)).toMatchObject({ format: 'png', hasAlpha: true });
  });

  it('keeps the first frame of an animation', async () => {
    const made = await pictures.normalise(await plain(20, 10).gif().toBuffer());
    expect(made).toMatchObject({ width: 20, height: 10 });
    expect((await reading(made.bytes)).pages).toBeUndefined();
  });

  it('turns the picture upright and drops what the camera wrote, its place included', async () => {
    const photo = await plain(100, 50)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'MARKER-7731' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const made = await pictures.normalise(photo);
    expect(made).toMatchObject({ width: 50, height: 100 });
    const { exif, orientation } = await reading(made.bytes);
    expect([exif, orientation]).toEqual([undefined, undefined]);
    expect(Buffer.from(made.bytes).includes('MARKER-7731')).toBe(false);
  });

  it('drops whatever hides behind the pixels', async () => {
    const photo = await plain(10, 10).jpeg().toBuffer();
    const polyglot = Buffer.concat([photo, Buffer.from('<script>alert(1)</script>')]);
    const made = await pictures.normalise(polyglot);
    expect(Buffer.from(made.bytes).includes('<script>')).toBe(false);
  });

  it.each([
    [
      'SVG with script',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
    ],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['PDF', '%PDF-1.7\n1 0 obj'],
    ['text', 'hello, I am a picture.png'],
    ['nothing', ''],
  ])('refuses %s by its content', async (_, text) => {
    await expect(pictures.normalise(new TextEncoder().encode(text))).rejects.toMatchObject({
      code: 'PICTURE_UNREADABLE',
      details: { reason: 'format' },
    });
  });

  it('refuses an SVG that hides behind the first bytes of a PNG', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ]);
    await expect(pictures.normalise(bytes)).rejects.toMatchObject({ details: { reason: 'broken' } });
  });

  it('refuses a picture that ends in the middle', async () => {
    const whole = await plain(400, 400).png().toBuffer();
    await expect(pictures.normalise(whole.subarray(0, whole.length - 200))).rejects.toMatchObject({
      code: 'PICTURE_UNREADABLE',
      details: { reason: 'broken' },
    });
  });

  it('refuses few bytes that would unpack to gigabytes of pixels', async () => {
    const bomb = pngBomb(30_000, 30_000);
    expect(bomb.length).toBeLessThan(10_000);
    await expect(pictures.normalise(bomb)).rejects.toMatchObject({
      code: 'PICTURE_UNREADABLE',
      details: { reason: 'pixels' },
    });
  });

  it('refuses 20 MB without looking inside', async () => {
    await expect(pictures.normalise(new Uint8Array(20_000_000))).rejects.toMatchObject({
      code: 'PICTURE_TOO_LARGE',
      details: { maxBytes: MAX_PICTURE_BYTES },
    });
  });

  it('decodes all of many that come at once', async () => {
    const photo = await plain(300, 300).jpeg().toBuffer();
    const broken = photo.subarray(0, 100);
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => pictures.normalise(n % 5 === 0 ? broken : photo)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  });
});

describe('the card', () => {
  const card = {
    symbol: 'PUP<b>&',
    name: '</span><span size="9999999">',
    facts: [
      { label: 'Supply', value: '1,000,000,000', good: null },
      { label: 'Minting', value: 'revoked for good', good: true },
      { label: 'Freezing', value: 'the creator can freeze accounts', good: false },
    ],
    mark: null,
    footer: '9wQzZ1bq4kLm8eTzW3dK5mWq2pJgTn7rYc6uX1sVb4kLm',
    link: 'https://desk.example/token/9wQz',
    picture: null,
  };

  it('is a PNG of the size that chats preview, whatever the name tries', async () => {
    const png = await pictures.card({ ...card, symbol: `${'W'.repeat(500)}\u0000` });
    expect(await reading(png)).toMatchObject({ format: 'png', width: 1_200, height: 630 });
  });

  it('draws its text: another name gives other pixels', async () => {
    const one = await pictures.card(card);
    const other = await pictures.card({ ...card, symbol: 'DOG' });
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(false);
    // The title's corner holds light pixels, the same corner of an empty title does not.
    const brightest = async (png: Uint8Array) => {
      const { channels } = await sharp(png)
        .extract({ left: 60, top: 60, width: 400, height: 90 })
        .removeAlpha()
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true })
        .then(({ data, info }) =>
          sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).stats(),
        );
      return Math.max(...channels.map(({ max }) => max));
    };
    expect(await brightest(other)).toBeGreaterThan(200);
    expect(await brightest(await pictures.card({ ...card, symbol: '', name: '' }))).toBeLessThan(60);
  });

  it('draws a mark under the QR code, and nothing there without one', async () => {
    const brightest = async (mark: string | null) => {
      const { channels } = await sharp(
        await sharp(await pictures.card({ ...card, mark }))
          .extract({ left: 840, top: 400, width: 300, height: 40 })
          .removeAlpha()
          .toColourspace('srgb')
          .png()
          .toBuffer(),
      ).stats();
      return Math.max(...channels.map(({ max }) => max));
    };
    expect(await brightest('★ badge bought with points')).toBeGreaterThan(120);
    expect(await brightest(null)).toBeLessThan(60);
  });

  it('goes without a picture that cannot be read', async () => {
    const png = await pictures.card({ ...card, picture: new Uint8Array([1, 2, 3]) });
    expect(await reading(png)).toMatchObject({ format: 'png', width: 1_200 });
  });
});
