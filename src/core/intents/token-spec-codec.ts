import type { AccountState, TokenSpec } from '../mint/token-spec.ts';
import type { JsonReader } from './json-reader.ts';

/** A token's specification inside an intent's row, under the rules of the codec of params. */

const PROGRAMS = ['token', 'token2022'] as const satisfies readonly TokenSpec['program'][];
const STATES = ['initialized', 'frozen'] as const satisfies readonly AccountState[];

export function encodeSpec(spec: TokenSpec): Readonly<Record<string, unknown>> {
  const { extensions } = spec;
  const { transferFee } = extensions;
  return {
    ...spec,
    supply: spec.supply.toString(),
    extensions: {
      ...extensions,
      transferFee: transferFee === null ? null : { ...transferFee, maximum: transferFee.maximum.toString() },
    },
  };
}

export function decodeSpec(read: JsonReader): TokenSpec {
  return {
    program: read.oneOf('program', PROGRAMS),
    name: read.text('name'),
    symbol: read.text('symbol'),
    decimals: read.integer('decimals'),
    supply: read.amount('supply'),
    mintTo: read.address('mintTo'),
    mintAuthority: read.flag('mintAuthority'),
    freezeAuthority: read.flag('freezeAuthority'),
    updateAuthority: read.flag('updateAuthority'),
    extensions: readExtensions(read.object('extensions')),
  };
}

function readExtensions(read: JsonReader): TokenSpec['extensions'] {
  const fee = read.objectOrNull('transferFee');
  const interest = read.objectOrNull('interest');
  return {
    transferFee:
      fee === null
        ? null
        : {
            configAuthority: fee.address('configAuthority'),
            withdrawalAuthority: fee.address('withdrawalAuthority'),
            bps: fee.integer('bps'),
            maximum: fee.amount('maximum'),
          },
    permanentDelegate: read.addressOrNull('permanentDelegate'),
    defaultAccountState:
      read.raw('defaultAccountState') === null ? null : read.oneOf('defaultAccountState', STATES),
    interest:
      interest === null ? null : { authority: interest.address('authority'), bps: interest.integer('bps') },
    mintCloseAuthority: read.addressOrNull('mintCloseAuthority'),
    nonTransferable: read.flag('nonTransferable'),
  };
}
