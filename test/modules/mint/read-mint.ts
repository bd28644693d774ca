import {
  ExtensionType,
  getDefaultAccountState,
  getExtensionData,
  getExtensionTypes,
  getInterestBearingMintConfigState,
  getMetadataPointerState,
  getMintCloseAuthority,
  getPermanentDelegate,
  getTransferFeeConfig,
  unpackMint,
} from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { Address, ChainAccount } from '@tradepost/solana';

/** Everything a mint account says, read by the vendor's own client: a second opinion beside our decoder. */
export function readMint(address: Address, account: ChainAccount) {
  const mint = unpackMint(
    new PublicKey(address),
    {
      data: Buffer.from(account.data),
      owner: new PublicKey(account.owner),
      lamports: Number(account.lamports),
      executable: false,
    },
    new PublicKey(account.owner),
  );
  const text = (key: PublicKey | null | undefined): string | null =>
    key === null || key === undefined || key.equals(PublicKey.default) ? null : key.toBase58();
  const fee = getTransferFeeConfig(mint);
  const interest = getInterestBearingMintConfigState(mint);
  const pointer = getMetadataPointerState(mint);
  const metadata = getExtensionData(ExtensionType.TokenMetadata, mint.tlvData);
  return {
    decimals: mint.decimals,
    supply: mint.supply,
    mintAuthority: text(mint.mintAuthority),
    freezeAuthority: text(mint.freezeAuthority),
    extensions: new Set(getExtensionTypes(mint.tlvData).map((type) => ExtensionType[type])),
    transferFee:
      fee === null
        ? null
        : {
            configAuthority: text(fee.transferFeeConfigAuthority),
            withdrawalAuthority: text(fee.withdrawWithheldAuthority),
            bps: fee.newerTransferFee.transferFeeBasisPoints,
            maximum: fee.newerTransferFee.maximumFee,
          },
    permanentDelegate: text(getPermanentDelegate(mint)?.delegate),
    defaultAccountState: getDefaultAccountState(mint)?.state ?? null,
    interest:
      interest === null ? null : { authority: text(interest.rateAuthority), bps: interest.currentRate },
    mintCloseAuthority: text(getMintCloseAuthority(mint)?.closeAuthority),
    pointer:
      pointer === null
        ? null
        : { authority: text(pointer.authority), address: text(pointer.metadataAddress) },
    metadata: metadata === null ? null : readMetadata(metadata),
  };
}

/** Update authority, mint, then name, symbol and URI. Source of truth: spl-token-metadata-interface `TokenMetadata`. */
function readMetadata(data: Buffer) {
  const authority = new PublicKey(data.subarray(0, 32));
  let at = 64;
  const next = (): string => {
    const length = data.readUInt32LE(at);
    at += 4 + length;
    return data.subarray(at - length, at).toString('utf8');
  };
  return {
    updateAuthority: authority.equals(PublicKey.default) ? null : authority.toBase58(),
    name: next(),
    symbol: next(),
    uri: next(),
  };
}
