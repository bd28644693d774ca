export type ImageKind = {
  readonly mime: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly extension: 'png' | 'jpg' | 'webp';
  readonly width: number;
  readonly height: number;
};

/**
 * The kind of the bytes by their magic numbers, never by their name or declared type: an SVG or HTML file called `x.png` is no image here,
 * and so never runs in our origin. Undefined for anything else.
 */
export function imageKind(bytes: Uint8Array): ImageKind | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length >= 24 && view.getUint32(0) === 0x89504e47 && view.getUint32(4) === 0x0d0a1a0a) {
    return { mime: 'image/png', extension: 'png', width: view.getUint32(16), height: view.getUint32(20) };
  }
  if (bytes.length >= 4 && view.getUint16(0) === 0xffd8 && bytes[2] === 0xff) {
    return { mime: 'image/jpeg', extension: 'jpg', ...jpegSize(view) };
  }
  const isRiff = bytes.length >= 30 && view.getUint32(0) === 0x52494646 && view.getUint32(8) === 0x57454250;
  return isRiff ? { mime: 'image/webp', extension: 'webp', ...webpSize(view) } : undefined;
}

type Size = { readonly width: number; readonly height: number };
const UNKNOWN: Size = { width: 320, height: 320 };

function jpegSize(view: DataView): Size {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return UNKNOWN;
}

function webpSize(view: DataView): Size {
  const chunk = view.getUint32(12);
  if (chunk === 0x56503858) {
    const read24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { width: read24(24) + 1, height: read24(27) + 1 };
  }
  if (chunk === 0x56503820) {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  return UNKNOWN;
}
