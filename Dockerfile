# The simulator as a small image: docker build -t agent-mailbox-sim . && docker run -p 4280:4280 agent-mailbox-sim
FROM node:22-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --ignore-scripts --pack-destination /tmp \
 && npm install --prefix /app --omit=dev --ignore-scripts --no-audit --no-fund \
    /tmp/agent-mailbox-sim-*.tgz redis@6

FROM node:22-slim
COPY --from=build /app /app
ENV NODE_ENV=production PATH=/app/node_modules/.bin:$PATH
# It writes nothing, so the file system may be read-only. For --state FOLDER, mount a folder that this user may write.
USER node
WORKDIR /work
EXPOSE 4280
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4280/_sim/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# In the form of a list, so that SIGTERM reaches the program itself, which ends by it.
ENTRYPOINT ["agent-mailbox-sim"]
CMD ["serve", "--host", "0.0.0.0"]
