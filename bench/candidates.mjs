import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CannotMeasure, threadsPath } from './shared.mjs'

const program = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url))

/** Returns this simulator's built program with a scenario: the name of a shipped one, or a file. */
export function agentMailboxSim(scenario, name = 'this simulator') {
  return {
    name,
    path: threadsPath,
    argumentsFor: (port) => [program, 'serve', scenario, '--port', port, '--json'],
  }
}

/** Returns the documented interface as the OpenAPI document that the program prints. */
async function openApiDocument() {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'openapi'])
  return JSON.parse(stdout)
}

const bareServer = fileURLToPath(new URL('programs/bare-server.mjs', import.meta.url))

/** Returns a bare node:http server that stringifies the page for each request: a lower bound for JSON over HTTP. */
export async function bareNode(page, folder) {
  const file = join(folder, 'page.json')
  await writeFile(file, JSON.stringify(page))
  return { name: 'bare node:http', path: threadsPath, argumentsFor: (port) => [bareServer, file, port] }
}

/**
 * Returns json-server with the page as a singular resource at json-server's own path, so that it does no look-up, no
 * sorting and no rewriting. Logging, compression and CORS are off.
 */
export async function jsonServer(page, folder) {
  const file = join(folder, 'db.json')
  await writeFile(file, JSON.stringify({ threads: page }))
  const program = programOf('json-server', 'lib/cli/bin.js')
  const plain = ['--quiet', '--no-gzip', '--no-cors']
  return {
    name: 'json-server',
    path: '/threads',
    argumentsFor: (port) => [program, file, '--host', '127.0.0.1', '--port', port, ...plain],
  }
}

/** Returns Prism as a mock of the documented interface, with the page as the example answer and without logging. */
export async function prism(page, folder) {
  const document = await openApiDocument()
  document.paths[threadsPath].get.responses['200'].content['application/json'].example = page
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const program = programOf('@stoplight/prism-cli', 'dist/index.js')
  const plain = ['--verboseLevel', 'silent']
  return {
    name: 'Prism',
    path: threadsPath,
    argumentsFor: (port) => [program, 'mock', file, '--host', '127.0.0.1', '--port', port, ...plain],
  }
}

/** Returns Mockoon with one route that answers with the page as plain text, without templates and log files. */
export async function mockoon(page, folder) {
  const file = join(folder, 'mockoon.json')
  await writeFile(file, JSON.stringify(environmentOf(JSON.stringify(page))))
  const program = programOf('@mockoon/cli', 'bin/run.js')
  const plain = ['--disable-log-to-file', '--disable-admin-api', '--repair']
  return {
    name: 'Mockoon',
    path: threadsPath,
    argumentsFor: (port) => [
      program,
      'start',
      '--data',
      file,
      '--hostname',
      '127.0.0.1',
      '--port',
      port,
      ...plain,
    ],
  }
}

function environmentOf(body) {
  const route = '00000000-0000-4000-8000-000000000001'
  return {
    uuid: '00000000-0000-4000-8000-000000000000',
    lastMigration: 33,
    name: 'Agent mailbox',
    cors: false,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    rootChildren: [{ type: 'route', uuid: route }],
    routes: [
      {
        uuid: route,
        type: 'http',
        method: 'get',
        endpoint: threadsPath.slice(1),
        responses: [
          {
            uuid: '00000000-0000-4000-8000-000000000002',
            statusCode: 200,
            default: true,
            bodyType: 'INLINE',
            body,
            disableTemplating: true,
          },
        ],
      },
    ],
  }
}

/** Returns the path of an installed package's program; throws if the package is not installed. */
export function programOf(name, file) {
  const program = fileURLToPath(new URL(`node_modules/${name}/${file}`, import.meta.url))
  if (!existsSync(program)) {
    throw new CannotMeasure(
      `${name} is not installed in bench/node_modules. Run "npm ci --ignore-scripts" in bench/, then try again.`,
    )
  }
  return program
}
