import { mulDivFloor } from '@tradepost/solana';

/** floor(net · reserveOut / (reserveIn + net)): the output of x · y = k for `net` units after fees. Below `reserveOut`. */
export function constantProductOut(net: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  if (net <= 0n) return 0n;
  return mulDivFloor(net, reserveOut, reserveIn + net);
}
