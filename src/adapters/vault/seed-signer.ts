import { randomInt } from 'node:crypto';
import createSodium, { type Sodium } from 'libsodium';
import { type Address, addressFromBytes } from '../../core/address/address.ts';

const SEED_BYTES = 32;
const SECRET_BYTES = 64;
const ADDRESS_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** More than any transaction on the wire has. */
const MOST_MESSAGE_BYTES = 1_232;

/** A seed that nobody uses, so that what it leaves behind tells nothing. */
const KNOWN_SEED = new Uint8Array(SEED_BYTES);

export type SeedSigner = {
  /** The address of a 32-byte seed. */
  readonly address: (seed: Uint8Array) => Address;
  /**
   * The 64-byte Ed25519 signature of `message` and the address that it verifies under. Throws a RangeError for a seed that
   * has not 32 bytes or a message longer than a transaction can be.
   */
  readonly sign: (
    seed: Uint8Array,
    message: Uint8Array,
  ) => { readonly address: Address; readonly signature: Uint8Array };
};

/** libsodium, ready for use. */
export async function loadSodium(): Promise<Sodium> {
  // Given, because libsodium looks for a browser's source of randomness or `require`, which a module has not.
  const sodium = await createSodium({ getRandomValue: () => randomInt(2 ** 32) });
  if (sodium._sodium_init() < 0) throw new Error('libsodium did not start');
  return sodium;
}

/**
 * Signs with seeds that are gone after the call. OpenSSL takes a key only through its decoders [measured: 0.7 ms of a
 * signature's 0.85] or as text, which nobody can wipe; libsodium takes the bytes, in a memory that is all ours.
 *
 * What holds after each call: nothing in `sodium`'s memory depends on the seed. The buffers are wiped, and a second signature
 * with a seed that everybody knows goes the same way through the stack, where libsodium leaves the digits of the scalar.
 */
export function seedSigner(sodium: Sodium): SeedSigner {
  const seedAt = sodium._malloc(
    SEED_BYTES + SECRET_BYTES + ADDRESS_BYTES + SIGNATURE_BYTES + MOST_MESSAGE_BYTES,
  );
  const secretAt = seedAt + SEED_BYTES;
  const addressAt = secretAt + SECRET_BYTES;
  const signatureAt = addressAt + ADDRESS_BYTES;
  const messageAt = signatureAt + SIGNATURE_BYTES;
  const end = messageAt + MOST_MESSAGE_BYTES;

  const pass = (seed: Uint8Array, message: Uint8Array): void => {
    sodium.HEAPU8.set(seed, seedAt);
    sodium.HEAPU8.set(message, messageAt);
    sodium._crypto_sign_seed_keypair(addressAt, secretAt, seedAt);
    sodium._crypto_sign_detached(signatureAt, 0, messageAt, message.length, 0, secretAt);
  };
  const wipe = (): void => {
    pass(KNOWN_SEED, KNOWN_SEED);
    sodium.HEAPU8.fill(0, seedAt, end);
  };
  const sign: SeedSigner['sign'] = (seed, message) => {
    if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
    if (message.length > MOST_MESSAGE_BYTES) {
      throw new RangeError(`a message has at most ${MOST_MESSAGE_BYTES} bytes`);
    }
    try {
      pass(seed, message);
      return {
        address: addressFromBytes(sodium.HEAPU8.slice(addressAt, signatureAt)),
        signature: sodium.HEAPU8.slice(signatureAt, messageAt),
      };
    } finally {
      wipe();
    }
  };
  return { sign, address: (seed) => sign(seed, KNOWN_SEED).address };
}

const signer = seedSigner(await loadSodium());

/** `SeedSigner.address` of this process. */
export const seedAddress = signer.address;

/** `SeedSigner.sign` of this process. */
export const signWithSeed = signer.sign;
