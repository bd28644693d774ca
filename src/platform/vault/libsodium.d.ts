/** The vault's part of libsodium compiled to WebAssembly. Pointers are offsets into HEAPU8. */
declare module 'libsodium' {
  export type Sodium = {
    /** The module's whole memory: heap and stack. */
    readonly HEAPU8: Uint8Array;
    _sodium_init(): number;
    _malloc(bytes: number): number;
    _crypto_sign_seed_keypair(publicKey: number, secretKey: number, seed: number): number;
    _crypto_sign_detached(
      signature: number,
      signatureLength: number,
      message: number,
      messageLow: number,
      messageHigh: number,
      secretKey: number,
    ): number;
  };
  export default function createSodium(settings: { readonly getRandomValue: () => number }): Promise<Sodium>;
}
