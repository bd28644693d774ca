import { type Route, route } from '../../../platform/http/route.ts';

/** Market data that is not deprecated: the records of `/v1`, wrapped as everything else. */
export function marketRoute<Input>(
  definition: Pick<
    Route<Input>,
    | 'path'
    | 'operationId'
    | 'summary'
    | 'description'
    | 'input'
    | 'inputExample'
    | 'output'
    | 'codes'
    | 'errors'
    | 'handle'
    | 'pathFields'
    | 'guarded'
  >,
): Route {
  return route<Input>({
    ...definition,
    act: 'reads',
    method: 'GET',
    scope: 'market',
    across: () => [],
    fieldsOf: () => ({}),
  });
}
