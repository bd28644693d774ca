import { AppError } from '../../core/errors/app-error.ts';
import { MAX_PICTURE_BYTES, type Picture } from '../ports/pictures.ts';
import { sharp } from './sharp.ts';

const MAX_PIXELS = 25_000_000;
const SIDE = 512;
const TIMEOUT_SECONDS = 10;

/** See `Pictures.normalise`. Photos become JPEG, anything with transparency PNG. */
export async function normalisePicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length > MAX_PICTURE_BYTES)
    throw new AppError('PICTURE_TOO_LARGE', { maxBytes: MAX_PICTURE_BYTES });
  if (!looksLikePicture(bytes)) throw new AppError('PICTURE_UNREADABLE', { reason: 'format' });
  try {
    const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
    const { hasAlpha } = await picture.metadata();
    const upright = picture
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toColourspace('srgb');
    const { data, info } = await (hasAlpha
      ? upright.png({ compressionLevel: 9 })
      : upright.jpeg({ quality: 88 })
    ).toBuffer({ resolveWithObject: true });
    return {
      type: hasAlpha ? 'png' : 'jpg',
      bytes: new Uint8Array(data),
      width: info.width,
      height: info.height,
    };
  } catch (cause) {
    const pixels = cause instanceof Error && /pixel limit/i.test(cause.message);
    throw new AppError('PICTURE_UNREADABLE', { reason: pixels ? 'pixels' : 'broken' }, { cause });
  }
}

/** By its first bytes; anybody can choose a file's name and the type that a browser sends. */
function looksLikePicture(bytes: Uint8Array): boolean {
  const latin1 = String.fromCharCode(...bytes.subarray(0, 12));
  return (
    latin1.startsWith('\xff\xd8\xff') ||
    latin1.startsWith('\x89PNG\r\n\x1a\n') ||
    /^GIF8[79]a/.test(latin1) ||
    /^RIFF[\s\S]{4}WEBP$/.test(latin1)
  );
}
