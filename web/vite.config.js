// The build: three files of fixed names, which the program carries and serves as / and /assets/*.
import { defineConfig } from "vite";

// The page finds its files and the API relative to itself, so that it works below any path of a proxy.
const relative = {
  name: "relative",
  enforce: "post",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replaceAll('"/assets/', '"assets/').replaceAll(" crossorigin", ""),
  },
};

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/assets/" : "/",
  plugins: [relative],
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  server: { proxy: { "/v1": process.env["SQMAX_SERVER"] ?? "http://127.0.0.1:8642" } },
  build: {
    outDir: process.env["SQMAX_DIST"] ?? "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]", inlineDynamicImports: true },
    },
  },
}));
