import { EXAMPLE_MARKET } from './v1-route.ts';

const MINT = 'Gh3kQ8mcW6wmNkRZ2CTMGZc4hYhFy1aW1sJQ9u3GmVwA';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const PROGRAM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';

export const PRICE = {
  price: '0.0123456789',
  market: 'PUP/USDC',
  time: '2026-11-22T12:00:00.000Z',
  marketAddress: EXAMPLE_MARKET,
  priceExact: '0.0123456789012345678',
  usdPrice: 0.0123456789,
  liquidityUsd: 51234.5,
};

export const RECENT_PRICE = {
  price: '0.0123456789',
  price24hAgo: '0.0120000000',
  change: '0.0003456789',
  changePercent: 2.88,
  market: 'PUP/USDC',
  marketAddress: EXAMPLE_MARKET,
  time: '2026-11-22T12:00:00.000Z',
  time24hAgo: '2026-11-21T11:59:58.000Z',
  partial: false,
};

export const TRADE = {
  id: 838860800000065,
  price: '0.0123456789',
  size: '1500.5',
  market: 'PUP/USDC',
  side: 'buy' as const,
  time: '2026-11-22T12:00:00.000Z',
  orderId: '838860800000065',
  feeCost: '0.0555',
  marketAddress: EXAMPLE_MARKET,
  createdAt: '2026-11-22T12:00:00.412Z',
  priceExact: '0.0123456789012345678',
  quoteSize: '18.5246',
  signature: '5j7s6NiJS3JAkvgkoc18WVAsiSaci2pxB2A6ueCJP4tprA2TFg9wSyTLeYouxPBJEMzJinENTkpA52YStRW5Dia7',
  slot: 400000000,
  trader: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
  sealed: true,
  feeSource: 'rate' as const,
};

export const SUMMARY = {
  totalVolume: 10250.75,
  sellVolume: 4100.25,
  buyVolume: 6150.5,
  highPrice: '0.0131',
  lowPrice: '0.0119',
};

export const VOLUME = {
  name: 'PUP/USDC',
  address: EXAMPLE_MARKET,
  programId: PROGRAM,
  ...SUMMARY,
  baseVolume: 830000.5,
  trades: 412,
  volumeUsd: 10250.75,
};

export const PAIR = {
  market: 'PUP/USDC',
  coin: 'PUP',
  priceCurrency: 'USDC',
  address: EXAMPLE_MARKET,
  baseMint: MINT,
  quoteMint: USDC,
  programId: PROGRAM,
  venue: 'raydium-cpmm',
  primary: true,
  verified: false,
  liquidityUsd: 51234.5,
  gap: false,
};
