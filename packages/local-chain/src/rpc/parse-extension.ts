import { keyAt, type TlvExtension, viewOf } from '../token-account.ts';

type Parser = (data: Uint8Array) => Record<string, unknown> | undefined;

/** Names and readers by type number. Source of truth: token-2022 `ExtensionType` and agave's `parse_token_extension.rs`. */
const PARSERS: Readonly<Record<number, readonly [string, Parser]>> = {
  1: ['transferFeeConfig', parseTransferFeeConfig],
  2: ['transferFeeAmount', (data) => ({ withheldAmount: viewOf(data).getBigUint64(0, true) })],
  3: ['mintCloseAuthority', (data) => ({ closeAuthority: optionalKey(data, 0) })],
  6: [
    'defaultAccountState',
    (data) => ({ accountState: ['uninitialized', 'initialized', 'frozen'][data[0] ?? 0] }),
  ],
  7: ['immutableOwner', () => undefined],
  8: ['memoTransfer', (data) => ({ requireIncomingTransferMemos: data[0] === 1 })],
  9: ['nonTransferable', () => undefined],
  10: ['interestBearingConfig', parseInterest],
  12: ['permanentDelegate', (data) => ({ delegate: optionalKey(data, 0) })],
  13: ['nonTransferableAccount', () => undefined],
  18: [
    'metadataPointer',
    (data) => ({ authority: optionalKey(data, 0), metadataAddress: optionalKey(data, 32) }),
  ],
  19: ['tokenMetadata', parseTokenMetadata],
};

/** One extension as `{ extension, state }`; those this chain cannot read are named `unparseableExtension`, as on a cluster. */
export function parseExtension(extension: TlvExtension): unknown {
  const known = PARSERS[extension.type];
  if (known === undefined) return { extension: 'unparseableExtension' };
  const [name, parse] = known;
  return { extension: name, state: parse(extension.data) };
}

function parseTransferFeeConfig(data: Uint8Array): Record<string, unknown> {
  const view = viewOf(data);
  const fee = (at: number) => ({
    epoch: view.getBigUint64(at, true),
    maximumFee: view.getBigUint64(at + 8, true),
    transferFeeBasisPoints: view.getUint16(at + 16, true),
  });
  return {
    transferFeeConfigAuthority: optionalKey(data, 0),
    withdrawWithheldAuthority: optionalKey(data, 32),
    withheldAmount: view.getBigUint64(64, true),
    olderTransferFee: fee(72),
    newerTransferFee: fee(90),
  };
}

function parseInterest(data: Uint8Array): Record<string, unknown> {
  const view = viewOf(data);
  return {
    rateAuthority: optionalKey(data, 0),
    initializationTimestamp: view.getBigInt64(32, true),
    preUpdateAverageRate: view.getInt16(40, true),
    lastUpdateTimestamp: view.getBigInt64(42, true),
    currentRate: view.getInt16(50, true),
  };
}

function parseTokenMetadata(data: Uint8Array): Record<string, unknown> {
  const view = viewOf(data);
  let at = 64;
  const text = (): string => {
    const length = view.getUint32(at, true);
    const value = Buffer.from(data.subarray(at + 4, at + 4 + length)).toString('utf8');
    at += 4 + length;
    return value;
  };
  const [name, symbol, uri] = [text(), text(), text()];
  const pairs = view.getUint32(at, true);
  at += 4;
  const additionalMetadata: [string, string][] = [];
  for (let i = 0; i < pairs; i += 1) additionalMetadata.push([text(), text()]);
  return {
    updateAuthority: optionalKey(data, 0),
    mint: keyAt(data, 32),
    name,
    symbol,
    uri,
    additionalMetadata,
  };
}

function optionalKey(data: Uint8Array, at: number): string | null {
  return data.subarray(at, at + 32).some((byte) => byte !== 0) ? keyAt(data, at) : null;
}
