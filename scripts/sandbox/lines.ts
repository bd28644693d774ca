/** The facts of a sandbox that its person needs. */
export type SandboxFacts = {
  readonly openUrl: string;
  readonly keyedUrl: string | null;
  readonly rpcUrl: string | null;
  readonly wallet: { readonly address: string; readonly path: string };
  /** The token that the quote buys: the dollars of this chain. */
  readonly mint: string;
  readonly dir: string;
};

const SOL = 'So11111111111111111111111111111111111111112';
const A_TENTH_SOL = '100000000';

/** At most twelve lines; the commands run as they are printed, those with curl from any folder. */
export function sandboxLines(facts: SandboxFacts): readonly string[] {
  const { openUrl, keyedUrl, rpcUrl, wallet, mint, dir } = facts;
  const key = `LOCAL_DIR=${dir} npm run -s ops -- api-key issue me`;
  return [
    `API         ${openUrl}`,
    `Docs        ${openUrl}/docs`,
    ...(keyedUrl === null ? [] : [`Keyed API   ${keyedUrl}   (a key: ${key})`]),
    ...(rpcUrl === null ? [] : [`Solana RPC  ${rpcUrl}`]),
    `Wallet      ${wallet.address}   (its key: ${wallet.path})`,
    'Play SOL for it, 2 SOL a minute:',
    `  curl -s ${openUrl}/sandbox/airdrop -H 'content-type: application/json' -d '{"address":"${wallet.address}"}'`,
    'What 0.1 SOL buys:',
    `  curl -s '${openUrl}/dex/quote?fromTokenAddress=${SOL}&toTokenAddress=${mint}&amount=${A_TENTH_SOL}'`,
    `The sandbox is ready. Ctrl-C stops it; its state is kept in ${dir}.`,
  ];
}
