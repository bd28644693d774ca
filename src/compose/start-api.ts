import { listenProblem } from '../core/errors/listen-problem.ts';
import { createHost } from '../platform/http/create-host.ts';
import type { ApiDeps, Host, OpenHost, ProHost } from './api-deps.ts';

export type RunningApi = {
  readonly openUrl: string;
  /** Null when no pro host was asked for. */
  readonly proUrl: string | null;
  /** Of the charting datafeed alone; null where none was asked for. */
  readonly chartUrl: string | null;
  /** Lets requests under way finish, then closes. */
  readonly stop: () => Promise<void>;
};

export type ApiOptions = {
  readonly host: string;
  readonly openPort: number;
  readonly proPort: number;
  /** Null: no host for the charts alone. */
  readonly chartsPort: number | null;
  readonly trustedProxies: readonly string[];
  readonly open: OpenHost;
  readonly pro: ProHost | null;
};

/** Listens on all hosts. Throws CONFIG_INVALID naming the variable when a port is taken; nothing is left listening then. */
export async function startApi(deps: ApiDeps, options: ApiOptions): Promise<RunningApi> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(stops.splice(0).map((end) => end())));
  const listen = async (host: Host, port: number, variable: string): Promise<string> => {
    const app = createHost(deps, host, options);
    try {
      const url = await app.listen({ host: options.host, port });
      stops.push(() => app.close());
      return url;
    } catch (cause) {
      await app.close();
      throw listenProblem(cause, {
        what: 'the REST API',
        port,
        portVariable: variable,
        another: `Stop the other program or set ${variable} to another port (0 = any).`,
        host: options.host,
        hostVariable: 'API_HOST',
      });
    }
  };
  try {
    const openUrl = await listen(options.open, options.openPort, 'API_PORT');
    const proUrl = options.pro === null ? null : await listen(options.pro, options.proPort, 'PRO_API_PORT');
    const chartUrl =
      options.chartsPort === null
        ? null
        : await listen({ kind: 'charts' }, options.chartsPort, 'CHARTS_PORT');
    return { openUrl, proUrl, chartUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
