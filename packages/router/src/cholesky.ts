import { at } from './array-access.ts';

/**
 * Solves (H + diag(ridge)) d = b for a symmetric H of which the lower triangle is given (row-major, n × n). Overwrites
 * `factor` and `d`. False when the matrix is not positive definite to working precision; `d` is then meaningless.
 */
export function solveRidged(
  hessian: Float64Array,
  n: number,
  ridge: Float64Array,
  factor: Float64Array,
  b: Float64Array,
  d: Float64Array,
): boolean {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = at(hessian, i * n + j) + (i === j ? at(ridge, i) : 0);
      for (let k = 0; k < j; k++) sum -= at(factor, i * n + k) * at(factor, j * n + k);
      if (i === j) {
        if (!(sum > 0)) return false;
        factor[i * n + i] = Math.sqrt(sum);
      } else {
        factor[i * n + j] = sum / at(factor, j * n + j);
      }
    }
  }
  for (let i = 0; i < n; i++) {
    let sum = at(b, i);
    for (let k = 0; k < i; k++) sum -= at(factor, i * n + k) * at(d, k);
    d[i] = sum / at(factor, i * n + i);
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = at(d, i);
    for (let k = i + 1; k < n; k++) sum -= at(factor, k * n + i) * at(d, k);
    d[i] = sum / at(factor, i * n + i);
  }
  return true;
}
