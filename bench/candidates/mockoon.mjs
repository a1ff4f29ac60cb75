import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { threadsPath } from '../mailbox.mjs'
import { programOf } from './installed.mjs'

/** Mockoon's program with one route, which answers the page as a text that is no template; it keeps no log file. */
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
