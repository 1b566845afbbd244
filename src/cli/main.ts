process.stdout.write('mcp-manifest-review\n');
