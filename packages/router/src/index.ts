export type { Route, RouteLeg } from './integers.ts';
export { LIVE_LIMITS, type Limits, REFERENCE_LIMITS } from './limits.ts';
export { poolDepth } from './pool-depth.ts';
export { feeGains, type Gain, type PoolShape, type RoutablePool } from './routable-pool.ts';
export { createRouter, type PlannedLeg, type RouteRequest, type Router } from './router.ts';
