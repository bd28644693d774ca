export { createMcp, type Mcp } from './protocol.ts';
export { type HttpServer, serveHttp } from './serve-http.ts';
export { serveStdio } from './serve-stdio.ts';
export { createService, type Service } from './service.ts';
