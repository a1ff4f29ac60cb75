process.stdout.write('about to fail\n')
process.stderr.write('Error: nobody wrote this part yet\n')
process.exit(3)
