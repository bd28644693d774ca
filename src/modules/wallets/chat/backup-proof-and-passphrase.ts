/** The authenticator's code or a recovery code, as `readFactors` reads them behind a PIN. */
const CODE = '[ ,./+-]{0,3}(?:[0-9]{6}|[A-Za-z2-7](?:[ -]?[A-Za-z2-7]){15})';
const ALONE = /^([0-9]{6})\s+(\S[\s\S]*)$/;
const WITH_CODE = new RegExp(`^([0-9]{6}${CODE})\\s+(\\S[\\s\\S]*)$`);

/**
 * One message that holds the proof and behind it a passphrase, taken apart. Both come together so that neither has to be kept for the
 * other. Null for a text of another shape.
 */
export function proofAndPassphrase(
  text: string,
  needsCode: boolean,
): { readonly pin: string; readonly passphrase: string } | null {
  const [, pin, passphrase] = (needsCode ? WITH_CODE : ALONE).exec(text) ?? [];
  return pin === undefined || passphrase === undefined ? null : { pin, passphrase };
}
