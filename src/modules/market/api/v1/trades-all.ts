import { dayTrades } from '../day-trades.ts';

export const tradesAll = dayTrades('all', 'listTradesAll');
