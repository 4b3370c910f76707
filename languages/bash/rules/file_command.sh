ls # ok
mv a.txt b.txt # ok
