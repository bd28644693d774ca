import { randomInt } from 'node:crypto';
import { type Address, addressFromBytes } from '@tradepost/solana';
import createSodium, { type Sodium } from 'libsodium';

const SEED_BYTES = 32;

/** More than any transaction on the wire has. */
const MOST_MESSAGE_BYTES = 1_232;

/** Where each thing begins in the buffer: a seed, libsodium's secret key, the address, the signature, the message. */
const AT = { seed: 0, secret: 32, address: 96, signature: 128, message: 192, end: 192 + MOST_MESSAGE_BYTES };

/** A seed without a use, so that its traces reveal nothing. */
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
 * Signs with seeds that are gone after the call. OpenSSL takes a key only through its decoders [measured: 0.7 ms of a signature's 0.85] or
 * as text, which cannot be wiped; libsodium takes the bytes, in a memory that is all ours.
 *
 * After each call nothing in `sodium`'s memory depends on the seed. The buffers are wiped, and a second signature with a seed that
 * everybody knows goes the same way through the stack, where libsodium leaves the digits of the scalar.
 */
export function seedSigner(sodium: Sodium): SeedSigner {
  const buffer = sodium._malloc(AT.end);

  const pass = (seed: Uint8Array, message: Uint8Array): void => {
    const [secret, address, text] = [buffer + AT.secret, buffer + AT.address, buffer + AT.message];
    sodium.HEAPU8.set(seed, buffer + AT.seed);
    sodium.HEAPU8.set(message, text);
    sodium._crypto_sign_seed_keypair(address, secret, buffer + AT.seed);
    sodium._crypto_sign_detached(buffer + AT.signature, 0, text, message.length, 0, secret);
  };
  const wipe = (): void => {
    pass(KNOWN_SEED, KNOWN_SEED);
    sodium.HEAPU8.fill(0, buffer, buffer + AT.end);
  };
  const sign: SeedSigner['sign'] = (seed, message) => {
    if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes`);
    if (message.length > MOST_MESSAGE_BYTES) {
      throw new RangeError(`a message has at most ${MOST_MESSAGE_BYTES} bytes`);
    }
    try {
      pass(seed, message);
      return {
        address: addressFromBytes(sodium.HEAPU8.slice(buffer + AT.address, buffer + AT.signature)),
        signature: sodium.HEAPU8.slice(buffer + AT.signature, buffer + AT.message),
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
