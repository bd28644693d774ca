import { OPERATIONS } from './generated/operations.ts';
import type { InputSchema } from './operation.ts';
import { createPaperAccount } from './paper-account.ts';
import { createDocs } from './search-docs.ts';
import type { Arguments, Service } from './service.ts';
import type { Tool } from './tool.ts';

const UNSIGNED =
  'The answer has the transaction in base64 (`txBase64`), unsigned. Only the owner of the wallet can sign it, outside these tools.';

/** Tools that ask the service, each one operation. None of these operations signs or submits. */
const ASKING = [
  {
    name: 'quote',
    operation: 'quoteSwap',
    title: 'Quote a swap',
    says: 'What a swap would bring now. Amounts are texts of smallest units. SOL is So11111111111111111111111111111111111111112.',
  },
  {
    name: 'build_swap',
    operation: 'createSwapTransaction',
    title: 'Build an unsigned swap',
    says: `A swap for a wallet, simulated on the present state of the chain. ${UNSIGNED}`,
  },
  {
    name: 'build_token',
    operation: 'createTokenTransaction',
    title: 'Build an unsigned token creation',
    says: `Creates a token with its metadata and supply. ${UNSIGNED}`,
  },
  {
    name: 'follow',
    operation: 'showTransaction',
    title: 'Follow a transaction',
    says: 'The status of a transaction that was submitted to this service. finalized, failed and expired never change. 404 means unknown here; it may still have landed.',
  },
  {
    name: 'token',
    operation: 'showToken',
    title: 'One token',
    says: 'Price, liquidity, holders and safety.',
  },
  {
    name: 'search_tokens',
    operation: 'searchTokens',
    title: 'Search tokens',
    says: 'By ticker, name or address.',
  },
  {
    name: 'trending',
    operation: 'listTrendingTokens',
    title: 'Trending tokens',
    says: 'What many people trade.',
  },
  {
    name: 'prices',
    operation: 'listTokenPrices',
    title: 'Prices',
    says: 'Of up to 100 tokens in dollars and SOL.',
  },
  {
    name: 'markets',
    operation: 'listMarkets',
    title: 'Markets',
    says: 'With price and figures of 24 hours.',
  },
  { name: 'candles', operation: 'listMarketCandles', title: 'Candles', says: 'Bars of one market.' },
] as const;

const text = (description: string): object => ({ type: 'string', maxLength: 200, description });
const object = (properties: InputSchema['properties'], required: readonly string[]): InputSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** All tools over one service, with a paper account of their own. */
export function createTools(service: Service): readonly Tool[] {
  const docs = createDocs(service);
  const paper = createPaperAccount((input, signal) => service.ask(OPERATIONS.quoteSwap, input, signal));
  const asking = ASKING.map(
    ({ name, operation, title, says }): Tool => ({
      name,
      title,
      description: says,
      input: OPERATIONS[operation].input,
      isReadOnly: true,
      run: (input, signal) => service.ask(OPERATIONS[operation], input, signal),
    }),
  );
  const slippage = {
    type: 'integer',
    minimum: 0,
    maximum: 10_000,
    description: 'allowed slippage in basis points, 500 when left out',
  };
  return [
    {
      name: 'search_docs',
      title: 'Search the documentation',
      description: 'Guides and operations of this REST API: the passages that fit the words best.',
      input: object({ query: text('words to look for') }, ['query']),
      isReadOnly: true,
      run: (input, signal) => docs.search(textOf(input, 'query'), signal),
    },
    ...asking,
    {
      name: 'paper_buy',
      title: 'Buy on paper',
      description: 'Buys a token with pretended SOL at a real quote. Nothing reaches the chain.',
      input: object(
        { mint: text('mint of the token'), lamports: text('lamports to spend'), slippageBps: slippage },
        ['mint', 'lamports'],
      ),
      isReadOnly: false,
      run: (input, signal) => paper.buy(input, signal),
    },
    {
      name: 'paper_sell',
      title: 'Sell on paper',
      description: 'Sells a token of the paper account at a real quote. Nothing reaches the chain.',
      input: object(
        {
          mint: text('mint of the token'),
          units: text('smallest units to sell; all when left out'),
          slippageBps: slippage,
        },
        ['mint'],
      ),
      isReadOnly: false,
      run: (input, signal) => paper.sell(input, signal),
    },
    {
      name: 'paper_account',
      title: 'The paper account',
      description:
        'Pretended SOL and tokens of this session. It began with 10 SOL, and ends with the session.',
      input: object({}, []),
      isReadOnly: true,
      run: async () => paper.state(),
    },
  ];
}

function textOf(input: Arguments, name: string): string {
  const value = input[name];
  if (typeof value !== 'string' || value.length > 200)
    throw new TypeError(`${name}: expected a text of at most 200 characters`);
  return value;
}
