import { AppError } from '../../core/errors/app-error.ts';
import type { KeyEncryptionKey } from './kek.ts';
import { localKek, parseKek } from './local-kek.ts';

/**
 * The key-encryption key given as text (an environment variable that the configuration read). A file or a key service is
 * safer: an environment shows in process listings and crash reports. Throws KEK_UNAVAILABLE for anything but 32 bytes.
 */
export function kekFromText(text: string, name: string): KeyEncryptionKey {
  const key = parseKek(text);
  if (key === null) {
    throw new AppError('KEK_UNAVAILABLE', {
      cause: `${name} must hold 32 bytes as 64 hex digits or base64`,
    });
  }
  const kek = localKek(key);
  key.fill(0);
  return kek;
}
