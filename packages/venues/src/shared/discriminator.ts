import { createHash } from 'node:crypto';

/** The first eight bytes of an Anchor instruction's data: sha256("global:" + snake_case name). */
export function instructionDiscriminator(name: string): Uint8Array {
  return eightBytes(`global:${name}`);
}

/** The first eight bytes of an Anchor account: sha256("account:" + struct name). Programs share them: check the owner too. */
export function accountDiscriminator(structName: string): Uint8Array {
  return eightBytes(`account:${structName}`);
}

function eightBytes(preimage: string): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(preimage).digest().subarray(0, 8));
}
