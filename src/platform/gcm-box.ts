import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: `iv(12) ‖ ciphertext ‖ tag(16)`, a fresh random iv per box. The key is 32 bytes. */
export function sealBox(key: Uint8Array, plain: Uint8Array, aad: Uint8Array): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/**
 * The plain bytes; throws when a bit of box, key or additional data differs. The tag's length is fixed on both sides: Node
 * takes a 4-byte tag by default, which an attacker who may rewrite rows could hit by trying.
 */
export function openBox(key: Uint8Array, box: Uint8Array, aad: Uint8Array): Buffer {
  if (box.length < IV_BYTES + TAG_BYTES) throw new RangeError('sealed box is too short');
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(aad);
  decipher.setAuthTag(box.subarray(box.length - TAG_BYTES));
  const body = decipher.update(box.subarray(IV_BYTES, box.length - TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } finally {
    body.fill(0);
  }
}
