INSERT INTO `pagelinks` VALUES (1,0,'x',0),(1,0,NULL);
