// Development: the page, rebuilt at every change, over the mock or over SQMAX_SERVER=http://host:port.
import { createServer } from "vite";

import { start } from "./server.mjs";

if (!process.env.SQMAX_SERVER) process.env.SQMAX_SERVER = (await start()).url;
const server = await createServer();
await server.listen();
server.printUrls();
