/**
 * Text of an on-chain string: bytes that are not UTF-8 become replacement characters, the zero padding that Metaplex adds is cut. Still
 * hostile: the caller that shows it strips and caps it.
 */
export function decodeText(bytes: Uint8Array): string {
  const padding = bytes.indexOf(0);
  return new TextDecoder().decode(padding === -1 ? bytes : bytes.subarray(0, padding)).trim();
}
