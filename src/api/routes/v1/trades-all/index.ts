import { dayTrades } from '../../shared/day-trades.ts';

export const tradesAll = dayTrades('all', 'listTradesAll');
