import { dayTrades } from '../day-trades.ts';

export const trades24h = dayTrades('24h', 'listTrades24h');
